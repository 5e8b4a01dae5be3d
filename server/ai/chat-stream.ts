import { EventSourceParserStream } from 'eventsource-parser/stream'
import { z } from 'zod'
import { FailedTry } from '#server/fetch/retry.ts'
import { streamedFailure } from './failure.ts'

/** The content of a message: text, or parts with a type. */
const content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.unknown().optional() }))])
  .nullish()

/** One event of `/chat/completions` with `stream: true`. Servers differ in the fields that they omit. */
const chatEvent = z.object({
  error: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        delta: z.object({ content, refusal: z.string().nullish().catch(null) }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
})

/**
 * A part of a streamed reply. A complete reply has a part with a `finish`, such as 'stop', 'length' or 'content_filter'; a part
 * with the `usage` can follow it.
 */
export interface ReplyPart {
  text: string
  finish: string | undefined
  isRefusal: boolean
  usage: { tokensIn?: number | undefined; tokensOut?: number | undefined } | undefined
}

/**
 * Yields the parts of a streamed reply of a provider. `model` is only named in error messages. Throws a FailedTry (which says
 * whether a retry is useful) for an error in an event, and a SyntaxError or ZodError for an event that does not follow the
 * protocol. An error in reading `body` is thrown unchanged.
 */
export async function* readChatStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  model?: string,
): AsyncGenerator<ReplyPart> {
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) {
    if (data === '[DONE]') continue
    const { error, choices, usage } = chatEvent.parse(JSON.parse(data))
    if (error) throw new FailedTry(streamedFailure(error, model))
    const choice = choices?.[0]
    const refusal = choice?.delta?.refusal
    yield {
      text: textOf(choice?.delta?.content) + (refusal ?? ''),
      finish: choice?.finish_reason ?? undefined,
      isRefusal: Boolean(refusal),
      usage: usage
        ? { tokensIn: usage.prompt_tokens ?? undefined, tokensOut: usage.completion_tokens ?? undefined }
        : undefined,
    }
  }
}

function textOf(value: z.output<typeof content>): string {
  if (typeof value === 'string') return value
  const texts = (value ?? []).filter(({ type }) => type === 'text').map(({ text }) => text)
  return texts.filter((text) => typeof text === 'string').join('')
}

/**
 * Returns a function that removes thoughts from a reply: local reasoning models put them between <think> tags. The function
 * receives the reply in pieces and returns the text to show. It holds back a piece that ends like the beginning of a tag until
 * the next piece. `isLast` marks the last piece, after which nothing is held back.
 */
export function createThoughtFilter(): (piece: string, isLast?: boolean) => string {
  let rest = ''
  let isThought = false
  return (piece, isLast = false) => {
    rest += piece
    let text = ''
    for (;;) {
      const tag = isThought ? '</think>' : '<think>'
      const at = rest.indexOf(tag)
      const end = at === -1 ? (isLast ? rest.length : startOfTag(rest, tag)) : at
      if (!isThought) text += rest.slice(0, end)
      rest = rest.slice(at === -1 ? end : at + tag.length)
      if (at === -1) return text
      isThought = !isThought
    }
  }
}

/**
 * Returns the offset of the beginning of a tag at the end of the text, such as '<thi'. Returns the length of the text if it
 * does not end in this way.
 */
function startOfTag(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(tag.slice(0, length))) return text.length - length
  return text.length
}
