const JOINED = /([\p{L}\p{N}]{1,12}-\d{1,4})(?![\p{L}\p{N}])/u

/** Keeps names with a number, such as COVID-19, on one line without changing the text. */
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
