export { checkAccess } from './check-access.ts'
export { defaultPolicies, securityHeaders } from './headers.ts'
export { refuseOtherSites } from './refuse-other-sites.ts'
export { watchRequests } from './watch-requests.ts'
