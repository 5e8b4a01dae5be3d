/** A value and its quote in the paper. The quote is null if the value is not printed in the examined text. */
export interface Quoted {
  value: string
  quote: string | null
}
