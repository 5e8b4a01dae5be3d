import { z } from '@hono/zod-openapi'
import { defineRoute } from '#server/http/define-route.ts'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import {
  invitation,
  invitationToken,
  newInvitations,
  openedInvitation,
  sentInvitation,
} from '#shared/contract/invitations.ts'
import { project } from '#shared/contract/projects.ts'
import { acceptInvitation, declineInvitation, readInvitation } from './open.ts'
import { invite, listInvitations, renewInvitation, revokeInvitation } from './service.ts'

/**
 * Routes of invitations: owners of a project create, list and revoke invitations, and the invited people accept or decline
 * them.
 */
export const routes = createRouter()
const tags = ['Invitations']
const invitationOf = { params: idOf('Project').params.extend({ invitation_id: z.uuid('Invitation not found') }) }
const isMember = refusal('The address belongs to a member')
const tooMany = refusal('Too many invitations in an hour')
const linkRefusals = {
  ...refusals,
  403: refusal('The invitation is for another e-mail address'),
  410: refusal('The link has been used, was revoked or has expired'),
  429: refusal('Too many links in a short time'),
}

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}/invitations',
    access: { role: 'manage', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Project'),
    responses: { 200: many(invitation, 'The pending and expired invitations, newest first'), ...refusals },
  }),
  async (c) => {
    const data = await listInvitations(actorOf(c), c.req.valid('param').id)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/projects/{id}/invitations',
    access: { role: 'manage', body: 'json', limit: 'none', scope: 'none' },
    tags,
    summary: 'Invite people; a pending invitation of the same address is renewed',
    request: { ...idOf('Project'), ...jsonBody(newInvitations) },
    responses: {
      201: many(sentInvitation, 'The invitations with their links'),
      ...refusals,
      409: isMember,
      429: tooMany,
    },
  }),
  async (c) => {
    const data = await invite(actorOf(c), c.req.valid('param').id, c.req.valid('json'))
    return c.json({ data, count: data.length }, 201)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/projects/{id}/invitations/{invitation_id}/renew',
    access: { role: 'manage', body: 'none', limit: 'none', scope: 'none' },
    tags,
    summary: 'Replace the link of an invitation by a new one for seven days',
    request: invitationOf,
    responses: {
      200: one(sentInvitation, 'The invitation with its new link'),
      ...refusals,
      409: isMember,
      429: tooMany,
    },
  }),
  async (c) => {
    const { id, invitation_id } = c.req.valid('param')
    return c.json({ data: await renewInvitation(actorOf(c), id, invitation_id) }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/projects/{id}/invitations/{invitation_id}',
    access: { role: 'manage', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: invitationOf,
    responses: { 200: one(z.object({ id: z.uuid() }), 'The revoked invitation'), ...refusals },
  }),
  async (c) => {
    const { id, invitation_id } = c.req.valid('param')
    await revokeInvitation(actorOf(c), id, invitation_id)
    return c.json({ data: { id: invitation_id } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/invitations/read',
    access: { role: 'user', body: 'json', limit: 'invitation-link', scope: 'none' },
    tags,
    request: jsonBody(invitationToken),
    responses: { 200: one(openedInvitation, 'The invitation of a link'), ...linkRefusals },
  }),
  async (c) => c.json({ data: await readInvitation(actorOf(c), c.req.valid('json').token) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/invitations/accept',
    access: { role: 'user', body: 'json', limit: 'invitation-link', scope: 'none' },
    tags,
    request: jsonBody(invitationToken),
    responses: { 200: one(project, 'The project, of which the caller is a member now'), ...linkRefusals },
  }),
  async (c) => c.json({ data: await acceptInvitation(actorOf(c), c.req.valid('json').token) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/invitations/decline',
    access: { role: 'user', body: 'json', limit: 'invitation-link', scope: 'none' },
    tags,
    request: jsonBody(invitationToken),
    responses: { 204: { description: 'Declined: the link has ended' }, ...linkRefusals },
  }),
  async (c) => {
    await declineInvitation(actorOf(c), c.req.valid('json').token)
    return c.body(null, 204)
  },
)
