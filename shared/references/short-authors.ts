/** Returns the family names of one or two authors, or the first with 'et al.'; '' without authors. Names end with the family name. */
export function shortAuthors(authors: readonly string[]): string {
  const [first, second] = authors.map((name) => name.split(' ').at(-1)!)
  if (first === undefined) return ''
  return authors.length === 1 ? first : authors.length === 2 ? `${first} & ${second}` : `${first} et al.`
}
