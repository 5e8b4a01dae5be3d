import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DocumentRow } from '#shared/contract/documents.ts'
import type { ExtractionMethod, ProcessStep } from '#shared/contract/processing.ts'
import { PromptChoices, promptsQuery } from '#web/analysis/index.ts'
import { counted } from '#web/lib/dates.ts'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Choice, Choices } from '#web/ui/choice.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { analyzedFields } from './edited-fields.tsx'
import { ocrInput, OcrLanguageField } from './ocr-language.tsx'

const TITLE: Record<ProcessStep, string> = {
  extract: 'Extract Text',
  analyze: 'Analyze',
  vectorize: 'Vectorize',
}
const isDone: Record<ProcessStep, (row: DocumentRow) => boolean> = {
  extract: (row) => row.extraction_method !== null,
  // After a failed extraction or analysis, the server may have to repeat the analysis.
  analyze: (row) => row.analyzed_at !== null && row.status !== 'error',
  vectorize: (row) => row.vectorized_at !== null,
}

/**
 * The dialog for the options of a bulk run (a job that processes several documents). It shows how many of the documents are
 * already processed.
 */
export function ProcessDialog({
  rows,
  steps,
  onClose,
  onStart,
}: {
  rows: readonly DocumentRow[]
  steps: readonly ProcessStep[]
  onClose: () => void
  onStart: (choice: {
    method: ExtractionMethod
    ocr_languages?: string[]
    prompt_id: string | null
    force: boolean
  }) => Promise<unknown>
}) {
  const { ai } = useSite()
  const [method, setMethod] = useState<ExtractionMethod>('auto')
  const [language, setLanguage] = useState<string>()
  const prompts = useQuery({ ...promptsQuery, enabled: steps.includes('analyze') })
  const [chosen, setPromptId] = useState<string>()
  const promptId = chosen ?? prompts.data?.find((one) => one.default)?.id
  const [force, setForce] = useState(false)
  const [starting, setStarting] = useState(false)
  const finished = rows.filter((row) => steps.every((step) => isDone[step](row))).length
  const started = rows.some((row) => steps.some((step) => isDone[step](row)))
  const start = () => {
    setStarting(true)
    void onStart({ method, ...ocrInput(language, method), prompt_id: promptId ?? null, force }).finally(() =>
      setStarting(false),
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={steps.length === 1 ? TITLE[steps[0]!] : 'Extract, analyze and vectorize'}
      about={`${counted(rows.length, 'document')}. The run continues when you close this page.`}
    >
      <div className="mt-4.5 grid gap-5">
        {steps.includes('extract') ? (
          <div>
            {steps.length > 1 ? <p className="mb-1.5 font-[530]">Extraction method</p> : null}
            <Choices
              label="Extraction method"
              value={method}
              onChange={(value) => setMethod(value as ExtractionMethod)}
            >
              <Choice value="auto" title="Automatic">
                Reads the text layer, and each page without a usable one by OCR. Uses {ai.ocr}.
              </Choice>
              <Choice value="text" title="Text layer">
                Reads the text already in the files. Simple and quick; may not work on scanned documents.
              </Choice>
              <Choice value="ocr" title="OCR by AI">
                Reads the pages as pictures; better for scans. Uses {ai.ocr}.
              </Choice>
            </Choices>
            <div className="mt-4 empty:hidden">
              <OcrLanguageField method={method} value={language} onChange={setLanguage} disabled={starting} />
            </div>
          </div>
        ) : null}
        {steps.includes('analyze') ? (
          <div>
            {steps.length > 1 ? <p className="mb-1.5 font-[530]">Prompt for the analysis</p> : null}
            <PromptChoices value={promptId} onChange={setPromptId} disabled={starting} brief={steps.length > 1} />
            {rows.some(({ edited_fields }) => analyzedFields(edited_fields).length > 0) ? (
              <p className="text-muted-foreground text-meta mt-4">Fields that you edited keep your text.</p>
            ) : null}
          </div>
        ) : null}
        {started ? (
          <div className="flex items-start gap-2">
            <Checkbox id="process-force" checked={force} onChange={setForce} />
            <label htmlFor="process-force">
              Repeat finished steps
              <span className="mt-1.5 block text-meta text-muted-foreground">
                {finished > 0
                  ? `${finished} of ${rows.length} ${finished === 1 ? 'has' : 'have'} nothing left to do.`
                  : 'Otherwise finished steps are skipped.'}
              </span>
            </label>
          </div>
        ) : null}
      </div>
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" disabled={starting || (steps.includes('analyze') && !promptId)} onClick={start}>
          {starting ? 'Starting...' : 'Start'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
