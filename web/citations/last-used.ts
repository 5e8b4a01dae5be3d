import { DEFAULT_STYLE } from '#shared/contract/citation-styles.ts'
import type { Project } from '#shared/contract/projects.ts'

const STORED = 'lectern.citation-styles'
const MOST = 5

/** Returns the ids of the citation styles that were last used in this browser, the latest first; at most five. */
export function lastStyles(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

/** Stores a citation style as the last used one in this browser (see `lastStyles`). */
export function rememberStyle(id: string): void {
  const styles = [id, ...lastStyles().filter((one) => one !== id)].slice(0, MOST)
  try {
    localStorage.setItem(STORED, JSON.stringify(styles))
  } catch {
    // Without storage, the next citation starts with the default style.
  }
}

/** A project's default style and default language of citations. */
export type CitingProject = Pick<Project, 'citation_style' | 'citation_language'>

/** Returns the default style of a project, else the last used style, else DEFAULT_STYLE. */
export const styleFor = ({ citation_style }: CitingProject): string =>
  citation_style ?? lastStyles()[0] ?? DEFAULT_STYLE
