/**
 * Types of the npm package `stopword`, which has none. Each export is a list of stopwords, named by the ISO 639-3 code of its
 * language.
 */
declare module 'stopword' {
  export const eng: string[]
  export const deu: string[]
  export const fra: string[]
  export const spa: string[]
  export const por: string[]
  export const ita: string[]
  export const nld: string[]
}
