import { Copy, Download } from 'lucide-react'
import { copyText } from '#web/lib/copy-text.ts'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './second-factor.module.css'

/** Shows new backup codes of the second factor, with buttons to copy and download them. They cannot be shown again. */
export function BackupCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { product_name } = useSite()
  const download = () => {
    const address = URL.createObjectURL(new Blob([`${product_name} backup codes\n\n${codes.join('\n')}\n`]))
    const link = Object.assign(document.createElement('a'), { href: address, download: 'backup-codes.txt' })
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <section className={styles.backupCodes} aria-label="Backup codes">
      <p>
        Store these codes where you can reach them without your phone. Each code opens your account once in place of a
        code from the app. They are not shown again.
      </p>
      <ol>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button onClick={() => void copyText(codes.join('\n'), 'Backup codes copied')}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button onClick={download}>
          <Download aria-hidden />
          Download
        </Button>
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </section>
  )
}
