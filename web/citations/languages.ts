import type { CitingProject } from './last-used.ts'

let names: Intl.DisplayNames | undefined
const nameOf = (tag: string) => (names ??= new Intl.DisplayNames('en', { type: 'language' })).of(tag) ?? tag

/** Returns the options for language tags: the English name of each as its label, sorted by label. */
export const languageOptions = (tags: readonly string[]) =>
  tags.map((value) => ({ value, label: nameOf(value) })).toSorted((one, other) => one.label.localeCompare(other.label))

/**
 * Returns the label of the option for the default language. The default is the language of the style; if the style has none,
 * the language of the project.
 */
export const ofStyle = ({ citation_language: tag }: Pick<CitingProject, 'citation_language'>) =>
  tag ? `Of the style, else ${nameOf(tag)}` : 'Of the style'
