import { expect, it } from 'vitest'
import { hasClaim } from './sign-in-claims.ts'

it.each([
  ['groups=admins', { groups: ['staff', 'admins'] }, true],
  ['groups=admins', { groups: 'admins' }, true],
  ['groups=admins', { groups: ['admins-of-print'] }, false],
  ['groups=admins', {}, false],
  ['realm_access.roles=lectern', { realm_access: { roles: ['lectern'] } }, true],
  ['https://example.org/role=admin', { 'https://example.org/role': 'admin' }, true],
  ['is_admin=true', { is_admin: true }, true],
  ['role=a=b', { role: 'a=b' }, true],
  ['constructor.name=Object', {}, false],
  ['groups=[object Object]', { groups: [{}] }, false],
])('The claim %s is found in %j: %s', (wanted, claims, found) => {
  expect(hasClaim(claims, wanted)).toBe(found)
})
