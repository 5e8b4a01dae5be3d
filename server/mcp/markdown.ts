import type { Project } from '#shared/contract/projects.ts'
import { documentTitle, type DocumentDetail } from '#shared/contract/documents.ts'

const section = (title: string, body: string | null | undefined) =>
  body?.trim() ? `## ${title}\n\n${body.trim()}` : null
const list = (items: readonly string[]) => items.map((item) => `- ${item.replaceAll(/\s+/g, ' ')}`).join('\n')
const joined = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join('\n\n')

/** Returns a paper as Markdown: its reference, its analysis and its tags. */
export function paperAsMarkdown(paper: Omit<DocumentDetail, 'extracted_text'>): string {
  const source = [paper.authors.join('; '), paper.ref_year, paper.journal_name, paper.doi_link].filter(Boolean)
  return joined([
    `# ${documentTitle(paper)}`,
    source.length > 0 ? source.join('. ') : null,
    paper.retracted ? 'This paper was retracted.' : null,
    section('Abstract', paper.abstract),
    section('Summary', paper.summary),
    section('Insights', list(paper.insights)),
    section('Recommendations', paper.lifestyle_recommendations),
    section('Evidence level', paper.evidence_level),
    section('Tags', list(paper.keywords)),
  ])
}

/** Returns a project as Markdown. */
export const projectAsMarkdown = (project: Project): string =>
  joined([
    `# ${project.name}`,
    section('Research question', project.research_question),
    section('Description', project.description),
    `Papers: ${project.document_count}. Members: ${project.member_count}.`,
  ])
