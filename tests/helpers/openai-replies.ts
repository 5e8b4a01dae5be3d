/**
 * This file creates the default replies of the simulated AI provider. The replies quote sentences of the prompt, so that the
 * paper contains every quote.
 */

const DIMENSION = 64

/**
 * Returns the paper or the passages inside a prompt: the text between the tags `<paper-…>` or `<text-…>`, without the
 * properties of the file. Returns the whole prompt if it has no such tags.
 */
function materialOf(prompt: string): string {
  const inside = /<((?:paper|text)-[0-9a-f]+)>\n([\s\S]*?)\n<\/\1>/.exec(prompt)
  return (inside?.[2] ?? prompt).replace(/^\[properties of the file[\s\S]*?\n\n/, '')
}

/** Returns the complete sentences of a text that have five words or more. */
function sentencesOf(text: string): string[] {
  const plain = text.replace(/^\[Page \d+\]$/gm, ' ').replace(/\s+/g, ' ')
  return (plain.match(/[A-Z][^.!?]{20,}[.!?](?=\s|$)/g) ?? []).filter((sentence) => sentence.split(' ').length >= 5)
}

/** Returns an analysis whose quotes are sentences of the paper in the prompt. */
export function exampleAnalysis(prompt: string): Record<string, unknown> {
  const paper = materialOf(prompt)
  const [first = 'The paper says nothing.', second = first, third = second] = sentencesOf(paper)
  const title =
    paper
      .replace(/^\[Page \d+\]\n/, '')
      .split('\n')[0]
      ?.trim() ?? null
  const doi = /10\.\d{4,9}\/[^\s,;]+/.exec(paper)?.[0] ?? null
  return {
    title: { text: title, quote: title },
    doi: { text: doi, quote: doi },
    publication_date: { text: '2024-03-01', quote: null },
    journal: { text: 'Journal of Examples', quote: null },
    summary: [
      { text: first, quote: first },
      { text: second, quote: second },
    ],
    recommendation: [{ text: 'Read it with care.', quote: third }],
    level_of_evidence: { text: 'Level 2: Randomised controlled trial', quote: second },
    keywords: [{ text: 'examples', quote: null }],
    social_post: { text: 'A new example is out.', quote: null },
    insights: [{ text: `The provider found: ${second}`, quote: second }],
  }
}

/** Returns the first sentence of the first passage in the prompt, with a citation of its page: 'Naps help [p. 2].' */
export function exampleAnswer(prompt: string): string {
  const text = materialOf(prompt)
  const page = /\[Page (\d+)\]/.exec(text)?.[1] ?? '1'
  const sentence = (sentencesOf(text)[0] ?? 'The text does not say.').replace(/[.!?]$/, '')
  return `${sentence} [p. ${page}].`
}

/**
 * Returns a simple embedding: a vector of 64 numbers. Each word of the text adds 1 at the index of its hash, so texts with
 * common words have similar vectors. The vector is not normalized.
 */
export function hashedEmbedding(text: string): number[] {
  const vector = Array.from({ length: DIMENSION }, () => 0.001)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7
    for (const char of word) hash = (hash * 31 + char.codePointAt(0)!) % 1_000_003
    vector[hash % DIMENSION]! += 1
  }
  return vector
}
