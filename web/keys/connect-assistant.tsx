import { useMutation } from '@tanstack/react-query'
import { ArrowLeft, Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { type CreatedKey, KEY_START } from '#shared/contract/api-keys.ts'
import { messageOf } from '#web/lib/api.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldError, Input } from '#web/ui/field.tsx'
import { Alert } from '#web/ui/marks.tsx'
import { SectionRow, SectionTitle } from '#web/ui/page.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import styles from './keys.module.css'
import { SETUPS, UNKNOWN_KEY } from './setups.ts'
import { testKey } from './test-key.ts'
import bridgeUrl from '../../bin/mcp.mjs?url&no-inline'

/** Shows configuration texts that connect an AI assistant, with the API key filled in, and a button that tests the key. */
export function ConnectAssistant({ created, onBack }: { created: CreatedKey | null; onBack: () => void }) {
  const [pasted, setPasted] = useState('')
  const [chosen, setChosen] = useState(SETUPS[0]!.id)
  const test = useMutation({ mutationFn: testKey })
  const key = created?.key ?? pasted.trim()
  const shown = key || UNKNOWN_KEY
  return (
    <div className="py-4">
      <Button variant="ghost" size="sm" onClick={onBack}>
        <ArrowLeft aria-hidden />
        Back to API keys
      </Button>
      <SectionTitle className="mt-3">Connect an assistant</SectionTitle>
      <p className="text-muted-foreground mt-1">
        An assistant reads, searches and cites your papers, and checks its own quotes with verify_quote before it shows
        them. It cannot delete, share or screen.
      </p>
      <SectionRow>
        <h2>Key</h2>
        <div className="max-w-xl">
          {created ? (
            <p>
              {created.name} ({created.scopes.join(', ')}).{' '}
              <span className="text-muted-foreground">Filled in below until you leave this page.</span>
            </p>
          ) : (
            <Field label="Your key" hint="Only used on this page. Without it, the texts have a placeholder.">
              {(ids) => (
                <Input
                  {...ids}
                  type="password"
                  autoComplete="off"
                  placeholder={`${KEY_START}…`}
                  value={pasted}
                  onChange={({ target }) => setPasted(target.value)}
                />
              )}
            </Field>
          )}
        </div>
      </SectionRow>
      <SectionRow>
        <h2>Assistant</h2>
        <div className="max-w-2xl min-w-0">
          <Tabs
            label="Assistant"
            value={chosen}
            onChange={setChosen}
            tabs={SETUPS.map(({ id, name }) => ({ value: id, label: name }))}
          >
            {SETUPS.map(({ id, place, text, needsBridge }) => (
              <TabPanel key={id} value={id}>
                <p className="py-3">{place}</p>
                <code className={styles.secret}>{text(window.location.origin, shown)}</code>
                <div className="mt-3 flex flex-wrap gap-2">
                  <Button onClick={() => void copyText(text(window.location.origin, shown), 'Text copied')}>
                    <Copy aria-hidden />
                    Copy
                  </Button>
                  {needsBridge ? (
                    <Button asChild>
                      <a href={bridgeUrl} download="mcp.mjs">
                        <Download aria-hidden />
                        Save mcp.mjs
                      </a>
                    </Button>
                  ) : null}
                </div>
              </TabPanel>
            ))}
          </Tabs>
        </div>
      </SectionRow>
      <SectionRow>
        <h2>Test</h2>
        <div className="max-w-2xl" aria-live="polite">
          <Button variant="primary" disabled={!key || test.isPending} onClick={() => test.mutate(key)}>
            {test.isPending ? 'Testing...' : 'Test'}
          </Button>
          {test.error ? <FieldError className="mt-3">{messageOf(test.error, test.error.message)}</FieldError> : null}
          {test.data ? (
            <>
              <Alert quiet className="mt-3">
                <Check aria-hidden />
                Works: {test.data.tools.length} tools in {test.data.milliseconds} ms
              </Alert>
              <p className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-muted-foreground">
                {test.data.tools.map((name) => (
                  <span key={name} className="font-mono text-[0.8125em] wrap-anywhere">
                    {name}
                  </span>
                ))}
              </p>
            </>
          ) : null}
        </div>
      </SectionRow>
    </div>
  )
}
