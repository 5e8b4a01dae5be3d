import { useRef, useState } from 'react'
import type { DocumentDetail, TextWarning } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { ExtractionMethod } from '#shared/contract/processing.ts'
import { PasswordRequired } from '#web/extraction/index.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { JobCancelled, JobFailed } from '#web/lib/jobs.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { Choice, Choices } from '#web/ui/choice.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, FieldError, Input } from '#web/ui/field.tsx'
import { Badge, Progress } from '#web/ui/marks.tsx'
import { extractHere, extractOnServer, NotCancelled, toastCancelled } from './document-work.ts'
import { ocrInput, OcrLanguageField } from './ocr-language.tsx'
import styles from './processing.module.css'

const DISTRUST = {
  scan: 'The pages of this file are images, so its text layer contains almost no text. OCR by AI is recommended.',
  garbled: 'The text layer of this file is garbled. OCR by AI is recommended.',
}

type Distrust = keyof typeof DISTRUST
/** Returns the warning if it recommends OCR; otherwise undefined. */
const distrustOf = (warning: TextWarning | null): Distrust | undefined =>
  warning === 'scan' || warning === 'garbled' ? warning : undefined

/** The dialog 'Select Extraction Method'. It extracts the text layer in the browser, or runs OCR on the server. */
export function ExtractionDialog({
  document,
  job,
  open,
  onOpenChange,
}: {
  document: DocumentDetail
  /** The running OCR job, if any. */
  job: Job | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { ai } = useSite()
  const [chosen, setChosen] = useState<ExtractionMethod>()
  const [reading, setReading] = useState<{ page: number; pages: number } | null>(null)
  const [busy, setBusy] = useState<ExtractionMethod>()
  const [password, setPassword] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [language, setLanguage] = useState<string>()
  const abort = useRef<AbortController>(undefined)
  const [found, setFound] = useState<Distrust>()
  const distrust = found ?? distrustOf(document.text_warning)
  const method = chosen ?? (distrust ? 'ocr' : 'text')

  const start = async () => {
    setBusy(method)
    setRefused(undefined)
    setFailure(undefined)
    const { signal } = (abort.current = new AbortController())
    try {
      if (method !== 'text')
        await extractOnServer(document.id, method, { password, signal, ...ocrInput(language, method) })
      else {
        const saved = await extractHere(document.id, {
          password,
          signal,
          onProgress: (page, pages) => setReading({ page, pages }),
        })
        // The dialog stays open and recommends OCR.
        if (distrustOf(saved.text_warning)) return setChosen('ocr')
      }
      setPassword(undefined)
      onOpenChange(false)
    } catch (error) {
      if (error instanceof NotCancelled) return setFailure(error.message)
      if (signal.aborted || error instanceof JobCancelled) return toastCancelled()
      const message = messageOf(error, 'Failed to extract text') || 'Failed to extract text'
      const code = error instanceof ApiError || error instanceof JobFailed ? error.code : null
      if (error instanceof PasswordRequired || code === 'password_required' || code === 'password_wrong') {
        // A missing password is not an error; a wrong one is.
        if (password) setRefused(message)
        return setPassword((before) => before ?? '')
      }
      toast({ title: 'Error extracting text', description: message, destructive: true })
      // The dialog stays open. OCR is recommended for a scan, and not for a damaged file, which OCR cannot open either.
      if (code === 'no_text_layer') {
        setFound('scan')
        setChosen('ocr')
      } else setFailure(message)
    } finally {
      setBusy(undefined)
      setReading(null)
    }
  }
  const change = (opens: boolean) => {
    setFailure(undefined)
    onOpenChange(opens)
  }
  const cancel = () => {
    if (busy) abort.current?.abort()
    else change(false)
  }
  const isOnServer = busy !== undefined && busy !== 'text'
  const percent = isOnServer ? (job?.progress ?? 0) : reading ? (reading.page / reading.pages) * 100 : 0
  const doing = isOnServer
    ? job?.progress_text || (busy === 'ocr' ? 'Starting OCR…' : 'Starting…')
    : reading
      ? `Reading page ${reading.page} of ${reading.pages}`
      : 'Opening the file'
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      locked={busy === 'text'}
      title="Select Extraction Method"
      about={
        <>
          {document.filename}
          {document.page_count ? (
            <>
              <span className="dot-separator" />
              {counted(document.page_count, 'page')}
            </>
          ) : null}
        </>
      }
    >
      <div className="mt-4.5 grid gap-4">
        <Choices
          label="Extraction method"
          value={method}
          onChange={(value) => setChosen(value as ExtractionMethod)}
          disabled={busy !== undefined}
        >
          <Choice value="text" title="Option 1: Text layer">
            Reads the text already in the file, here in the browser. Simple and quick; may not work on scanned
            documents.
          </Choice>
          <Choice value="ocr" title="Option 2: OCR by AI" badge={distrust ? <Badge>Recommended</Badge> : null}>
            Reads the pages as pictures; better for scans. Uses {ai.ocr}.
          </Choice>
          <Choice value="auto" title="Automatic">
            Reads the text layer, and each page without a usable one by OCR. Uses {ai.ocr}.
          </Choice>
        </Choices>
        <OcrLanguageField method={method} value={language} onChange={setLanguage} disabled={busy !== undefined} />
        {distrust && !busy ? (
          <p className="text-muted-foreground text-meta" role="status">
            {DISTRUST[distrust]}
          </p>
        ) : null}
        {failure ? <FieldError role="alert">{failure}</FieldError> : null}
        {password !== undefined ? (
          <Field
            label="Password of this PDF"
            hint="This PDF is protected by a password, which is used only for this extraction and not stored."
            error={refused}
          >
            {(ids) => (
              <Input
                {...ids}
                type="password"
                autoComplete="off"
                autoFocus
                value={password}
                onChange={(event) => setPassword(event.target.value)}
                onKeyDown={(event) => event.key === 'Enter' && !busy && void start()}
              />
            )}
          </Field>
        ) : null}
        {busy ? (
          <div className={styles.job} role="status">
            <Progress value={percent} label="Extracting" />
            <span className={cn(styles.num, 'tabular-nums lining-nums')}>{doing}</span>
          </div>
        ) : null}
      </div>
      <DialogActions>
        <Button variant="ghost" onClick={cancel}>
          Cancel
        </Button>
        <Button variant="primary" disabled={busy !== undefined} onClick={() => void start()}>
          {busy ? 'Extracting...' : 'Start Extract'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
