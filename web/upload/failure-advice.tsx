import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pages } from '#shared/contract/paths.ts'
import { PROCESS_STEPS } from '#shared/contract/processing.ts'
import type { ExtractionMethod, ProjectProgress } from '#shared/contract/processing.ts'
import { failureWords } from '#web/lib/failure-words.ts'
import { startBulkRun } from '#web/processing/index.ts'
import { Button } from '#web/ui/button.tsx'

type Action = 'upload' | 'open' | 'read' | 'retry'

/** What a user can do about a failed paper. */
interface Advice {
  sentence: string
  actions: readonly Action[]
}

const PASSWORD: Advice = {
  sentence: 'Open the paper and enter the password under Extract Text, or upload a copy without a password.',
  actions: ['open', 'upload'],
}
const SERVICE: Advice = { sentence: 'If it fails again, ask an administrator.', actions: ['retry'] }
const OTHER: Advice = { sentence: 'Open the paper to choose another way.', actions: ['open'] }

/** The advice by the code of the error. */
const ADVICE: Readonly<Record<string, Advice>> = {
  password_required: PASSWORD,
  password_wrong: PASSWORD,
  damaged_file: { sentence: 'Upload another copy of the file.', actions: ['upload'] },
  no_text_layer: { sentence: 'OCR reads the text of its pages.', actions: ['read'] },
  no_words: { sentence: 'Upload a copy that is easier to read.', actions: ['upload'] },
  outside_failed: SERVICE,
  outside_slow: SERVICE,
  not_configured: SERVICE,
  over_budget: SERVICE,
  too_many: SERVICE,
  busy: SERVICE,
  unavailable: SERVICE,
  internal: SERVICE,
  refused: OTHER,
}
const RETRY: Advice = { sentence: '', actions: ['retry'] }

/** Returns the reason of a failure and the advice for this kind of failure, in words. */
export const failureText = ({ step, message, error_code }: ProjectProgress['failures'][number]): string =>
  `${failureWords(step, message)} ${adviceOn(error_code).sentence}`.trim()

const adviceOn = (code: string | null): Advice => (code === null ? RETRY : (ADVICE[code] ?? OTHER))

/** Buttons for the next step of a failed paper. They depend on the kind of failure. */
export function FailureActions({
  failure: { document_id: id, title, error_code },
  address,
  onUpload,
}: {
  failure: ProjectProgress['failures'][number]
  /** The project of the paper. */
  address: string
  /** Opens the upload dialog. */
  onUpload: () => void
}) {
  const process = (method: ExtractionMethod) =>
    void startBulkRun({ document_ids: [id], steps: [...PROCESS_STEPS], method, force: false })
  const button = (label: string, onClick: () => void) => (
    <Button size="sm" aria-label={`${label}: ${title}`} onClick={onClick}>
      {label}
    </Button>
  )
  const buttons: Record<Action, ReactNode> = {
    upload: button('Upload a copy', onUpload),
    read: button('Read by OCR', () => process('ocr')),
    retry: button('Try again', () => process('auto')),
    open: (
      <Button asChild size="sm">
        <Link to={pages.document(address, id)} aria-label={`Open the paper: ${title}`}>
          Open the paper
        </Link>
      </Button>
    ),
  }
  return (
    <div className="flex flex-wrap gap-1">
      {adviceOn(error_code).actions.map((action) => (
        <span key={action}>{buttons[action]}</span>
      ))}
    </div>
  )
}
