import { useCallback, useEffect, useRef, useState } from 'react'
import { CHAT_FAILED } from '#shared/contract/chat.ts'
import { messageOf } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import {
  conversationQuery,
  createConversation,
  deleteConversation,
  refreshConversations,
  stopAnswer,
  storeMessage,
} from './queries.ts'
import { type AskSettings, receive, type RunningAnswer } from './running-answer.ts'
import { streamQuestion } from './stream-question.ts'

/** A question to ask, with its options. The question is new or repeats an earlier one. */
export interface Asked extends AskSettings {
  question: string
  /**
   * The message whose question is asked again; null for a new question. `isStored`: its answer was reused from an earlier run,
   * so the server must write a new one.
   */
  again: { messageId: string; isStored: boolean } | null
}

/**
 * Returns functions that ask a question in a conversation of a project and stop its answer, and the question that is being
 * answered (`running`). Only one question can be asked at a time. A question without a conversation creates one and calls
 * `onCreate` with its id. If this question cannot be sent, the new conversation is deleted and `onCreate` is called with null.
 * If the user leaves the page, the question is still sent, and the server completes the answer.
 */
export function useAsking(projectId: string, onCreate: (id: string | null) => void) {
  const [running, setRunning] = useState<RunningAnswer | null>(null)
  const control = useRef<AbortController | null>(null)
  const wantsStop = useRef(false)
  const messageId = useRef<string | null>(null)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      // A question that the server has not stored yet is still sent.
      if (messageId.current !== null) control.current?.abort()
    }
  }, [])

  const ask = useCallback(
    async (conversationId: string | null, { question, scope, leaveOutRetracted, again }: Asked) => {
      if (control.current) return
      const controller = new AbortController()
      const { signal } = (control.current = controller)
      wantsStop.current = false
      messageId.current = null
      let now: RunningAnswer = {
        conversationId,
        messageId: null,
        question: question.trim(),
        scope,
        leaveOutRetracted,
        askedAt: new Date().toISOString(),
        step: 'papers',
        papers: null,
        passages: null,
        kind: 'answer',
        sentences: [],
        sources: [],
        stopping: false,
        failure: null,
      }
      const show = (next: RunningAnswer) => setRunning((now = { ...next, stopping: wantsStop.current }))
      show(now)
      let created: string | null = null
      try {
        if (conversationId === null) {
          created = (await createConversation(projectId)).id
          show({ ...now, conversationId: created })
          if (!isLeft.current) onCreate(created)
        }
        const id = conversationId ?? created!
        const body = {
          question: now.question,
          scope,
          leave_out_retracted: leaveOutRetracted,
          ...(again ? { again: true, without_stored: again.isStored, repeats: again.messageId } : {}),
        }
        for await (const event of streamQuestion(id, body, signal)) {
          if (event.event === 'error') throw new Error(event.data.message)
          if (event.event === 'done') {
            // The first question is also the title of a new conversation, so the conversation is loaded again.
            await completed(id, created === null ? () => storeMessage(id, event.data) : undefined)
            setRunning(null)
            return
          }
          show(receive(now, event))
          if (event.event !== 'papers') continue
          messageId.current = event.data.message_id
          if (isLeft.current) controller.abort()
          // The title of a new conversation is its first question.
          if (created !== null) void refreshConversations()
          if (wantsStop.current) void requestStop(event.data.message_id)
        }
      } catch (error) {
        if (signal.aborted) return
        const isStored = now.messageId !== null
        if (isStored) await completed(now.conversationId!)
        // The stored message contains the reason for the failure.
        if (isStored) setRunning(null)
        else show({ ...now, failure: messageOf(error, CHAT_FAILED) })
        if (created !== null && !isStored) {
          // The new conversation has no question.
          await deleteConversation(created).catch(() => undefined)
          show({ ...now, conversationId: null })
          if (!isLeft.current) onCreate(null)
        }
        if (isLeft.current)
          toast({ title: 'The question could not be answered', description: messageOf(error), destructive: true })
      } finally {
        control.current = null
        void refreshConversations()
      }
    },
    [projectId, onCreate],
  )

  /**
   * Stops the running answer. With `otherId`, stops the answer of this message, which was asked before a reload of the page.
   */
  const stop = useCallback((otherId: string | null) => {
    if (otherId) return void requestStop(otherId)
    wantsStop.current = true
    setRunning((now) => now && { ...now, stopping: true })
    if (messageId.current) void requestStop(messageId.current)
  }, [])

  const clear = useCallback(() => {
    if (!control.current) setRunning(null)
  }, [])

  return { running, ask, stop, clear }
}

/**
 * Updates the loaded conversation after its answer is complete: calls `store` to insert the answer, or refetches the
 * conversation if `store` is missing, the conversation is not loaded, or a fetch of it is running.
 */
async function completed(conversationId: string, store?: () => unknown) {
  const { queryKey } = conversationQuery(conversationId)
  const state = queryClient.getQueryState(queryKey)
  if (store && state?.data !== undefined && state.fetchStatus === 'idle') store()
  else await queryClient.invalidateQueries({ queryKey })
}

const requestStop = (messageId: string) =>
  stopAnswer(messageId).catch((error: unknown) =>
    toast({ title: 'The answer could not be stopped', description: messageOf(error), destructive: true }),
  )
