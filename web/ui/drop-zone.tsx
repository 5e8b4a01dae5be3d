import { type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { cn } from './class-names.ts'
import styles from './drop-zone.module.css'

/**
 * An area on which files can be dropped, with a button that opens the file picker. With `inline` it has one row instead of two.
 */
export function DropZone({
  children,
  inputLabel,
  accept,
  inline = false,
  disabled = false,
  onFiles,
}: {
  children: ReactNode
  inputLabel: string
  accept: string
  inline?: boolean
  disabled?: boolean
  onFiles: (files: FileList) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  return (
    <div
      className={cn(styles.dropZone, inline && styles.inline)}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        if (!disabled) onFiles(event.dataTransfer.files)
      }}
    >
      <p>{children}</p>
      <Button size="sm" onClick={() => input.current?.click()} disabled={disabled}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple
        className="sr-only"
        tabIndex={-1}
        aria-label={inputLabel}
        onChange={({ target }) => {
          if (target.files) onFiles(target.files)
          target.value = ''
        }}
      />
    </div>
  )
}
