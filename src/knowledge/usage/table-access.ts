/** One cell of the matrix that clusters are made of. */
export interface TableAccess {
  readonly user: string;
  readonly tableId: string;
  readonly runs: number;
}
