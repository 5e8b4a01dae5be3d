/** Returns a typed amount in US dollars, null for an empty text, and NaN for a text that is not an amount of 0 or more. */
export function readDollars(typed: string): number | null {
  if (typed.trim() === '') return null
  const amount = Number(typed)
  return amount >= 0 && Number.isFinite(amount) ? amount : Number.NaN
}
