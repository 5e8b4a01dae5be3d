export { deleteAccountData } from './delete-account.ts'
