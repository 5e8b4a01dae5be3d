import { CITEPROC } from '#shared/contract/citations.ts'
import { cn } from '#web/ui/class-names.ts'

/** The notice that the licence of citeproc-js (the library that formats citations) requires on screens with citations. */
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
