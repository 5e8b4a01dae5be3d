import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './navigation.module.css'

/** A row of tabs. `children` must contain a `TabPanel` for each tab. */
export function Tabs<T extends string>({
  value,
  onChange,
  tabs,
  label,
  end,
  children,
}: {
  value: T
  onChange: (value: T) => void
  /** The tabs. `count` is shown after the label, for example a number of results. */
  tabs: readonly { value: T; label: string; count?: string | undefined }[]
  label: string
  /** Content at the end of the row of tabs, such as a button. */
  end?: ReactNode
  children: ReactNode
}) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as T)}>
      <div className={styles.tabLine}>
        <Radix.List className={styles.tabs} aria-label={label} data-slot="tabs">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              // Radix moves the focus in code, which browsers treat as keyboard focus. A click must not show a focus
              // ring.
              onPointerDown={({ currentTarget }) => currentTarget.setAttribute('data-pointer', '')}
              onKeyDown={({ currentTarget }) => currentTarget.removeAttribute('data-pointer')}
              onBlur={({ currentTarget }) => currentTarget.removeAttribute('data-pointer')}
            >
              {tab.label}
              {tab.count === undefined ? null : <span className={styles.tabCount}> {tab.count}</span>}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {end ? <div className={styles.tabEnd}>{end}</div> : null}
      </div>
      {children}
    </Radix.Root>
  )
}

/** The content of the tab `value`. */
export const TabPanel = ({ value, children }: { value: string; children: ReactNode }) => (
  <Radix.Content value={value} tabIndex={-1}>
    {children}
  </Radix.Content>
)
