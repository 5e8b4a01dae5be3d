const JOINED = /([\p{L}\p{N}]{1,12}-\d{1,4})(?![\p{L}\p{N}])/u

/** A text whose names with a number, such as COVID-19, stay on one line; its letters are not changed. */
export function Unbroken({ text }: { text: string }) {
  return text.split(JOINED).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ),
  )
}
