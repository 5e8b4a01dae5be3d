import type { CslName, Reference } from '#shared/contract/references.ts'
import { yearOf } from '#shared/references/columns.ts'
import { familyText } from '#shared/references/names.ts'

const NAMES_MAX = 3

/** Returns a reference in one line: 'Idowu B, Sarpong E. Sleep at Home, 2026'. Omits missing parts. */
export function shortReference(reference: Reference): string {
  const { type, author = [], editor = [], publisher } = reference
  const people =
    author.length > 0 ? namesInWords(author) : `${namesInWords(editor)}${editor.length > 0 ? editorWord(editor) : ''}`
  const container = reference['container-title'] ?? (type === 'article' ? 'Preprint' : publisher)
  const place = [container, yearOf(reference)].filter(Boolean).join(', ')
  return [people, place].filter(Boolean).join(people.endsWith('.') ? ' ' : '. ')
}

const editorWord = (editors: readonly CslName[]) => (editors.length === 1 ? ' (editor)' : ' (editors)')

function namesInWords(names: readonly CslName[]): string {
  const shown = names
    .slice(0, NAMES_MAX)
    .map((name) => [familyText(name), initials(name.given)].filter(Boolean).join(' '))
  return names.length > NAMES_MAX ? `${shown[0]} et al.` : shown.join(', ')
}

const initials = (given = '') =>
  given
    .split(/[\s.-]+/)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
