import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Box } from 'lucide-react'
import { models as modelsQuery } from '../../api/queries.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded, Waiting } from '../../parts/states.tsx'
import { useSession } from '../../session/session.ts'
import { Playground } from './playground.tsx'

const TITLE = 'Playground'
const ABOUT = 'Talk to a model the way a program would, through /openai/v1. Nothing of it is stored.'

export function PlaygroundPage() {
  const { organization, isAdmin } = useSession()
  const query = useQuery(modelsQuery(organization.id))
  const enabled = query.data?.filter(({ state }) => state === 'enabled') ?? []
  if (enabled.length > 0) return <Playground title={TITLE} about={ABOUT} models={enabled} />
  return (
    <Page title={TITLE} about={ABOUT}>
      <Loaded query={query} waiting={<Waiting lines={10} />}>
        {() => (
          <Empty
            icon={Box}
            title="No model is enabled yet"
            action={
              isAdmin && (
                <Link to="/models" className="button button-primary">
                  Enable a model
                </Link>
              )
            }
          >
            {isAdmin
              ? 'Models that your devices offer are enabled on the Models page. Then you can talk to them here.'
              : 'Ask an admin of the organization to enable one. Then you can talk to it here.'}
          </Empty>
        )}
      </Loaded>
    </Page>
  )
}
