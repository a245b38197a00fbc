import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Box } from 'lucide-react'
import { models as modelsQuery } from '../../api/queries/models.ts'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { useSession } from '../../session/session.ts'
import { isEnabled } from './models/lane-model.ts'
import { Playground } from './playground.tsx'

const TITLE = 'Playground'
const ABOUT = 'Chat with a model through the same API that your apps use. Nothing is stored.'

export function PlaygroundPage() {
  const { organization, isAdmin } = useSession()
  const query = useQuery(modelsQuery(organization.id))
  if (query.data?.some(isEnabled)) return <Playground title={TITLE} about={ABOUT} models={query.data} />
  return (
    <Page title={TITLE} about={ABOUT}>
      <Loaded query={query} waiting={<Waiting lines={10} />}>
        {() => (
          <Empty
            icon={Box}
            title="No models enabled"
            action={
              isAdmin && (
                <Link to="/models" className="button button-primary">
                  Add a model
                </Link>
              )
            }
          >
            {isAdmin
              ? 'Add a model on the Models page, and you can chat with it here.'
              : 'Ask an admin to enable a model, and you can chat with it here.'}
          </Empty>
        )}
      </Loaded>
    </Page>
  )
}
