import { queryOptions, useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { challenge, factorList, startedFactor, verifiedFactor } from '#shared/contract/accounts.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { loadSession } from './queries.ts'
import { withProof } from './with-proof.ts'

/** Query: the second factors of the signed-in user, or of a user who must still enter a code to sign in. */
export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: ({ signal }) => request(api.factors(), { schema: one(factorList), signal, keepSession: true }),
  retry: false,
})

const refresh = () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey })

/** Mutation: starts the setup of an authenticator app as a second factor. Only this response contains the secret. */
export const useStartFactor = () =>
  useMutation({
    mutationFn: () =>
      withProof(() =>
        request(api.factors(), { method: 'POST', body: { factor_type: 'totp' }, schema: one(startedFactor) }),
      ),
  })

/** Verifies a code: creates a challenge and answers it. */
async function verifyCode({ id, code }: { id: string; code: string }) {
  const challenged = await request(api.factorChallenge(id), {
    method: 'POST',
    body: {},
    schema: one(challenge),
    keepSession: true,
  })
  const body = { challenge_id: challenged.id, code }
  return request(api.factorVerify(id), { method: 'POST', body, schema: one(verifiedFactor), keepSession: true })
}

/** Mutation: verifies a code of a second factor of the signed-in user. */
export const useVerifyFactor = () => useMutation({ mutationFn: verifyCode, onSuccess: refresh })

/** Mutation: verifies the code at sign-in, and loads the session. */
export const useSecondStep = () =>
  useMutation({
    mutationFn: async (input: { id: string; code: string }) => {
      await verifyCode(input)
      await loadSession()
    },
    onSuccess: refresh,
  })

/** Mutation: turns a second factor off. */
export const useRemoveFactor = () =>
  useMutation({
    mutationFn: (id: string) => withProof(() => request(api.factor(id), { method: 'DELETE', schema: anything })),
    onSuccess: refresh,
  })

/** Mutation: replaces the backup codes and returns the new ones. */
export const useRenewBackupCodes = () =>
  useMutation({
    mutationFn: (id: string) =>
      withProof(() =>
        request(api.factorBackupCodes(id), {
          method: 'POST',
          schema: one(z.object({ backup_codes: z.array(z.string()) })),
        }),
      ),
    onSuccess: refresh,
  })
