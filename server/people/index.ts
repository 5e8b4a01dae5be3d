export {
  changePersonByEmail,
  createLinkByEmail,
  createPerson,
  findPersonByEmail,
  listAllPeople,
  removeSecondFactor,
  setPasswordByEmail,
} from './service.ts'
