/** Of a probability; what is not certain is not shown as such. */
export function percent(probability: number): string {
  const whole = Math.round(probability * 100);
  if (whole === 100 && probability < 1) return '>99 %';
  if (whole === 0 && probability > 0) return '<1 %';
  return `${whole} %`;
}
