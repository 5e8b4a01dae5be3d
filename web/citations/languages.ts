import type { CitingProject } from './last-used.ts'

const names = new Intl.DisplayNames('en', { type: 'language' })
const nameOf = (tag: string) => names.of(tag) ?? tag

/** Returns the languages with their English names, in the order of these. */
export const languageOptions = (tags: readonly string[]) =>
  tags.map((value) => ({ value, label: nameOf(value) })).toSorted((one, other) => one.label.localeCompare(other.label))

/** Returns the label of the default language: that of the style, else that of the project. */
export const ofStyle = ({ citation_language: tag }: Pick<CitingProject, 'citation_language'>) =>
  tag ? `Of the style, else ${nameOf(tag)}` : 'Of the style'
