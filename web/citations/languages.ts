import type { CitingProject } from './last-used.ts'

let names: Intl.DisplayNames | undefined
const nameOf = (tag: string) => (names ??= new Intl.DisplayNames('en', { type: 'language' })).of(tag) ?? tag

/**
 * Returns the options of a select for languages, sorted by label. `tags` are language tags such as 'en-US'. The label of an
 * option is the English name of the language.
 */
export const languageOptions = (tags: readonly string[]) =>
  tags.map((value) => ({ value, label: nameOf(value) })).toSorted((one, other) => one.label.localeCompare(other.label))

/**
 * Returns the label of the option for the default language. The default is the language of the style; if the style has none,
 * the language of the project.
 */
export const ofStyle = ({ citation_language: tag }: Pick<CitingProject, 'citation_language'>) =>
  tag ? `Of the style, else ${nameOf(tag)}` : 'Of the style'
