declare module 'wink-porter2-stemmer' {
  /** The stem of an English word in the lower case. */
  export default function stem(word: string): string
}
