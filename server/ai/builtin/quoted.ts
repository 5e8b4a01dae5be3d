/** A value read from the paper and the words of the paper it was read from; null when only the PDF's data names it. */
export interface Quoted {
  value: string
  quote: string | null
}
