import type { analyzeText } from '#server/ai/index.ts'
import type { Tx } from '#server/db/client.ts'
import { abstractText, documentOrThrow, findDocumentText, type StoredDocument } from '#server/documents/index.ts'
import { DEFAULT_MODEL, type Prompt } from '#shared/contract/prompts.ts'

/**
 * Returns a document with its text, for an action that needs `right`. `text` is null if the document has no text. For a paper
 * without a PDF, `text` and `abstract` both consist of the title and the abstract; otherwise `abstract` is null.
 */
export async function readPaper(tx: Tx, id: string, right: 'edit' | 'ask') {
  const document = await documentOrThrow(tx, id, right)
  const abstract = abstractText(document)
  return { document, abstract, text: abstract ?? (await findDocumentText(tx, id)) }
}

/**
 * Returns the input of `analyzeText`: the text of a document, the words and model of a prompt, and the metadata of the file.
 */
export const paperOf = (
  text: string,
  document: Pick<StoredDocument, 'pdf_facts'>,
  { prompt, model }: Pick<Prompt, 'prompt' | 'model'>,
): Parameters<typeof analyzeText>[0] => ({
  text,
  systemPrompt: prompt,
  model: model === DEFAULT_MODEL.id ? null : model,
  metadata: document.pdf_facts?.metadata ?? null,
  firstPage: document.pdf_facts?.firstPage ?? null,
})
