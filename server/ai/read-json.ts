/**
 * Parses the JSON object in a model's reply: removes fences and words around it, and repairs trailing commas and raw
 * line breaks in strings. Does not complete a truncated reply. Returns null if there is no valid object.
 */
export function readJsonObject(reply: string): Record<string, unknown> | null {
  const start = reply.indexOf('{')
  const end = reply.lastIndexOf('}')
  if (start < 0 || end < start) return null
  const body = reply.slice(start, end + 1)
  return parseObject(body) ?? parseObject(mend(body))
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Repairs a JSON text: removes trailing commas, and escapes raw line breaks, tabs and invalid backslashes in strings. */
function mend(text: string): string {
  let out = ''
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (inString && char === '\\') {
      // LaTeX in a quote ("\alpha") is not a JSON escape: the backslash is literal.
      const next = text[at + 1] ?? ''
      const valid = /["\\/bfnrt]/.test(next) || (next === 'u' && /^[\da-f]{4}/i.test(text.slice(at + 2, at + 6)))
      out += valid ? char + next : '\\\\'
      if (valid) at += 1
    } else if (char === '"') {
      inString = !inString
      out += char
    } else if (inString) out += ESCAPES[char] ?? char
    else if (char !== ',' || !/^\s*[}\]]/.test(text.slice(at + 1, at + 200))) out += char
  }
  return out
}
