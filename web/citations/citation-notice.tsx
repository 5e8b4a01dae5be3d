import { CITEPROC } from '#shared/contract/citations.ts'
import { cn } from '#web/ui/class-names.ts'

/** The notice of citeproc-js, which its licence requires where users cite. */
export function CitationNotice({ className }: { className?: string }) {
  return (
    <p className={cn('text-muted-foreground text-xs', className)}>
      {CITEPROC.notice}{' '}
      {[CITEPROC.site, CITEPROC.source].map(({ label, address }, at) => (
        <span key={address}>
          {at > 0 ? ' · ' : null}
          <a className="text-link" href={address} target="_blank" rel="noreferrer">
            {label}
          </a>
        </span>
      ))}
    </p>
  )
}
