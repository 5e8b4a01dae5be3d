/** A value and its quote in the paper; the quote is null when only the PDF's metadata has the value. */
export interface Quoted {
  value: string
  quote: string | null
}
