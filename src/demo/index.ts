/** The Motors demo: a car maker's sales funnel, made from a seed. */
export { type MadeMotors, type MakeMotorsOptions, makeMotors } from './make-motors.ts';
