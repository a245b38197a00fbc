import { actorOf, browserOf, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/account.ts'
import { checkNewPassword } from './new-password.ts'
import { passOn, WRONG_PASSWORD } from './library-answer.ts'

export function addMe(app: ConsoleApp, parts: ConsoleParts): void {
  addMyAccount(app, parts)
  addMyChoices(app, parts)
}

function addMyAccount(app: ConsoleApp, { store, peopleMakeOrganizations }: ConsoleParts): void {
  app.openapi(routes.readMe, async (context) => {
    const { person, activeOrganization, expiresAt } = context.get('session')
    const [memberships, ways] = await Promise.all([store.membershipsOf(person.id), store.signInWays(person.id)])
    const organizations = memberships.map(({ organization: { id, name, deletesAt }, role }) => {
      return { id, name, role, deletesAt: deletesAt?.toISOString() ?? null }
    })
    const isStillThere = organizations.some(({ id }) => id === activeOrganization)
    return context.json(
      {
        person: { ...person, ...ways },
        organizations,
        activeOrganization: (isStillThere ? activeOrganization : organizations[0]?.id) ?? null,
        mayCreateOrganization: peopleMakeOrganizations,
        sessionExpiresAt: expiresAt.toISOString(),
      },
      200,
    )
  })

  app.openapi(routes.changeMe, async (context) => {
    const { name } = context.req.valid('json')
    await store.renamePerson({ person: context.get('session').person.id, name, by: actorOf(context) })
    return context.body(null, 204)
  })
}

function addMyChoices(app: ConsoleApp, { accounts, store, guessLimiter }: ConsoleParts): void {
  app.openapi(routes.changeActiveOrganization, async (context) => {
    const { organization } = context.req.valid('json')
    const membership = await store.membership({ organization, person: context.get('session').person.id })
    if (!membership) throw notFound('organization')
    const body = { organizationId: organization }
    passOn(context, await accounts.call('/organization/set-active', browserOf(context), body))
    return context.body(null, 204)
  })

  app.openapi(routes.changePassword, async (context) => {
    const { current, next } = context.req.valid('json')
    const { id, email } = context.get('session').person
    guessLimiter.count(context.env.address, `account ${id}`)
    checkNewPassword(next, email)
    const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true }
    passOn(context, await accounts.call('/change-password', browserOf(context), body), WRONG_PASSWORD)
    return context.body(null, 204)
  })
}
