/** The package has no types: lists of stopwords by language, named by ISO 639-3. */
declare module 'stopword' {
  export const eng: string[]
  export const deu: string[]
  export const fra: string[]
  export const spa: string[]
  export const por: string[]
  export const ita: string[]
  export const nld: string[]
}
