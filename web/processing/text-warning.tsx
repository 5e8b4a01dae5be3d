import { TriangleAlert } from 'lucide-react'
import type { TextWarning } from '#shared/contract/documents.ts'
import type { ProcessWarning } from '#shared/contract/processing.ts'
import { Alert } from '#web/ui/marks.tsx'

/** The messages for users about problems with the extracted text of a document, by the name of the warning. */
export const TEXT_WARNINGS: Record<ProcessWarning, string> = {
  scan: 'Hardly any text was found: the pages of this file are images. OCR by AI is recommended.',
  garbled: 'The text layer of this file is garbled. OCR by AI is recommended.',
  sparse: 'Hardly any text was found. The file may be damaged or hard to read: compare the text with its pages.',
  damaged: 'Some pages of this file are damaged. Their text is missing.',
  offer: 'OCR found less text than this paper has. Open the paper to choose a text.',
}

/** Shows the warning that the extracted text is unreliable. */
export const TextWarningNote = ({ warning }: { warning: TextWarning }) => (
  <Alert>
    <TriangleAlert aria-hidden />
    {TEXT_WARNINGS[warning]}
  </Alert>
)
