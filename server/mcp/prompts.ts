import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

const text = (max: number) => z.string().trim().min(1).max(max)
const ask = (words: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: words } }],
})

/** Adds MCP prompts to the server. Each describes a task and lists the tools that an assistant needs for it. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'review_paper',
    {
      title: 'Review a paper',
      description: 'A critical review of one paper with verified quotes',
      argsSchema: { document_id: text(36) },
    },
    ({ document_id }) =>
      ask(
        `Review the paper ${document_id}. Read it with get_paper and get_paper_text. Describe the question, methods, results and limits. Support each statement with a quote and its page, and check each quote with verify_quote. Leave out what you cannot support.`,
      ),
  )
  server.registerPrompt(
    'compare_papers',
    {
      title: 'Compare papers',
      description: 'A comparison of papers with verified quotes',
      argsSchema: { document_ids: text(2000).describe('ids of papers, separated by commas'), question: text(2000) },
    },
    ({ document_ids, question }) =>
      ask(
        `Compare the papers ${document_ids} on this question: ${question}\nUse search_passages with these document_ids. Make a table with one row for each paper, and name agreements and contradictions. Check each quote with verify_quote.`,
      ),
  )
  server.registerPrompt(
    'check_my_citations',
    {
      title: 'Check my citations',
      description: 'Checks each quotation of a text against the papers of a project',
      argsSchema: { project_id: text(36), text: text(100_000) },
    },
    ({ project_id, text: given }) =>
      ask(
        `Check each quotation in the text below: call verify_quote with project_id ${project_id} for each of them. List the quotations that were found with paper and page, then those that differ with the exact text, then those that were not found. Do not correct the text yourself.\n\n${given}`,
      ),
  )
  server.registerPrompt(
    'answer_with_sources',
    {
      title: 'Answer with sources',
      description: 'An answer from the papers of a project, with verified quotes',
      argsSchema: { project_id: text(36), question: text(2000) },
    },
    ({ project_id, question }) =>
      ask(
        `Answer this question from the papers of the project ${project_id}: ${question}\nFind passages with search_passages and this project_id. Cite the paper and page of each statement, check each quote with verify_quote, and format the citations with format_citations. Say what the papers do not answer.`,
      ),
  )
}
