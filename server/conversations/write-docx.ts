import { Document, HeadingLevel, Packer, Paragraph, TextRun as Run } from 'docx'
import type { Block } from './export-blocks.ts'

/** Indent of a quote. Indents and spacing are in twentieths of a point: 567 is one centimeter. */
const QUOTE_INDENT = { left: 567 }
const SOURCE_INDENT = { left: 567, hanging: 567 }
const AFTER = { after: 120 }

const FORMS: Record<Block['kind'], Omit<ConstructorParameters<typeof Paragraph>[0] & object, 'children'>> = {
  title: { heading: HeadingLevel.HEADING_1 },
  question: { heading: HeadingLevel.HEADING_2 },
  heading: { heading: HeadingLevel.HEADING_3 },
  note: { spacing: AFTER },
  paragraph: { spacing: AFTER },
  source: { spacing: AFTER, indent: SOURCE_INDENT },
  quote: { spacing: AFTER, indent: QUOTE_INDENT },
}

/** Writes paragraphs to a Word document (DOCX) and returns its bytes. */
export function writeDocx(blocks: readonly Block[]): Promise<Uint8Array> {
  const children = blocks.map(
    ({ kind, runs }) =>
      new Paragraph({
        ...FORMS[kind],
        children: runs.map(
          ({ text, italic, bold, position }) =>
            new Run({
              text: text.replaceAll(NOT_IN_XML, ' '),
              italics: italic === true || kind === 'note',
              ...(bold ? { bold } : {}),
              ...(position === 'super' ? { superScript: true } : {}),
              ...(position === 'sub' ? { subScript: true } : {}),
            }),
        ),
      }),
  )
  const title =
    blocks
      .find(({ kind }) => kind === 'title')
      ?.runs.map(({ text }) => text)
      .join('') ?? ''
  const options = { title: title.replaceAll(NOT_IN_XML, ' '), sections: [{ children }] }
  return Packer.pack(new Document(options), 'uint8array')
}

/** Matches characters that XML does not allow. */
const NOT_IN_XML = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu
