const JOINED = /([\p{L}\p{N}]{1,12}-\d{1,4})(?![\p{L}\p{N}])/u

/** Prevents line breaks inside names with a number, such as COVID-19. The text does not change. */
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
