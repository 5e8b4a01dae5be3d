import type { ExtractionMethod } from '#shared/contract/processing.ts'
import { listed } from '#web/lib/listed.ts'
import { useSite } from '#web/lib/site.ts'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

const STANDARD = 'standard'
/** Created at its first use, because that takes 25 ms. */
let names: Intl.DisplayNames | undefined

/**
 * Returns the field `ocr_languages` of a request: the selected language. Returns no field, so that the server uses
 * OCR_LANGUAGES, if no language is selected or the method uses no OCR.
 */
export const ocrInput = (language: string | undefined, method: ExtractionMethod) =>
  language === undefined || method === 'text' ? {} : { ocr_languages: [language] }

/**
 * The field for the language of scanned pages. Shown only if the method uses OCR and the server has several languages.
 * Without a choice the server uses OCR_LANGUAGES.
 */
export function OcrLanguageField({
  method,
  value,
  onChange,
  disabled = false,
}: {
  method: ExtractionMethod
  /** A code of Tesseract; undefined means the default. */
  value: string | undefined
  onChange: (language: string | undefined) => void
  disabled?: boolean
}) {
  const { ocr_languages: codes, ocr_standard_languages: standard } = useSite().ai
  if (codes.length < 2 || method === 'text') return null
  // A single default language is the first option, so it is not repeated.
  const others = standard.length === 1 ? codes.filter((code) => code !== standard[0]) : codes
  return (
    <Field label="Language of the scanned pages" hint="One language is read faster than several.">
      {(ids) => (
        <Select
          {...ids}
          value={value ?? STANDARD}
          onChange={(chosen) => onChange(chosen === STANDARD ? undefined : chosen)}
          disabled={disabled}
          options={[
            { value: STANDARD, label: listed(standard.map(languageName)) },
            ...others.map((code) => ({ value: code, label: languageName(code) })),
          ]}
        />
      )}
    </Field>
  )
}

/** Returns the name of a language by its code at Tesseract, such as 'deu' or 'chi_sim'; the code if it has no known name. */
function languageName(code: string): string {
  const [language = code, variant] = code.split('_')
  try {
    names ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
    const name = names.of(language)
    return name === undefined ? code : variant === undefined ? name : `${name} (${variant})`
  } catch {
    return code
  }
}
