import type { ExtractionMethod } from '#shared/contract/processing.ts'
import { listed } from '#web/lib/listed.ts'
import { useSite } from '#web/lib/site.ts'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

const STANDARD = 'standard'
/** Created at the first use, because its creation takes 25 ms. */
let names: Intl.DisplayNames | undefined

/**
 * Returns the field `ocr_languages` for a request, with the selected language. Returns {} if no language is selected or the
 * method uses no OCR. The server then uses its setting OCR_LANGUAGES.
 */
export const ocrInput = (language: string | undefined, method: ExtractionMethod) =>
  language === undefined || method === 'text' ? {} : { ocr_languages: [language] }

/**
 * The input for the language of scanned pages. Renders nothing if the method uses no OCR or the server has only one language.
 * Without a choice, the server uses its setting OCR_LANGUAGES.
 */
export function OcrLanguageField({
  method,
  value,
  onChange,
  disabled = false,
}: {
  method: ExtractionMethod
  /** A language code of Tesseract, such as 'deu'; undefined for the default. */
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

/**
 * Returns the English name of a language code of Tesseract, such as 'deu' or 'chi_sim'. Returns the code if the name is
 * unknown.
 */
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
