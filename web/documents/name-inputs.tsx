import { Split } from 'lucide-react'
import type { CslName } from '#shared/contract/references.ts'
import { anyOrder, familyText } from '#shared/references/names.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Input } from '#web/ui/field.tsx'
import styles from './reference.module.css'

/** Matches lower-case particles at the start of a typed family name, such as 'van' in 'van Beethoven'. */
const PARTICLES = /^((?:\p{Ll}[\p{L}'’]*\s+)+)(?=\S)(.*)$/u

/**
 * The inputs of a name. A name that is one text has a button that splits it into family and given names; `onSplit` is called
 * after the split.
 */
export function NameInputs({
  name,
  onChange,
  onSplit,
}: {
  name: CslName
  onChange: (name: CslName) => void
  onSplit: () => void
}) {
  const { literal, family, given = '', 'non-dropping-particle': particle, suffix = '', ...rest } = name
  const isLiteral = literal !== undefined && !family && !given
  const split = () => {
    onChange(inParts(literal ?? ''))
    onSplit()
  }
  if (isLiteral)
    return (
      <Input
        className={styles.literal}
        aria-label="Name of the organization or person"
        placeholder="Organization"
        autoComplete="off"
        value={literal}
        onChange={(event) => onChange({ literal: event.target.value })}
        end={
          <IconButton label="Split into family and given names" onClick={split}>
            <Split aria-hidden />
          </IconButton>
        }
      />
    )
  const changeFamily = (text: string) => {
    const [, before, after] = PARTICLES.exec(text) ?? []
    const { 'non-dropping-particle': _particle, literal: _literal, ...others } = name
    onChange(
      before && after
        ? { ...others, family: after, 'non-dropping-particle': before.trim() }
        : { ...others, family: text },
    )
  }
  return (
    <>
      <Input
        aria-label="Family name"
        placeholder="Family name"
        autoComplete="off"
        value={familyText({ family, 'non-dropping-particle': particle, ...rest })}
        onChange={(event) => changeFamily(event.target.value)}
      />
      <Input
        aria-label="Given names"
        placeholder="Given names"
        autoComplete="off"
        value={given}
        onChange={(event) => onChange({ ...name, given: event.target.value })}
      />
      <Input
        aria-label="Suffix"
        placeholder="Suffix"
        autoComplete="off"
        value={suffix}
        onChange={(event) => onChange({ ...name, suffix: event.target.value })}
      />
    </>
  )
}

/** Splits a name into family and given names. If the split is not certain, the whole name becomes the family name. */
function inParts(literal: string): CslName {
  const name = anyOrder(literal)
  return name && name.literal === undefined ? name : { family: literal }
}
