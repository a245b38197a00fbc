import { Link } from '@tanstack/react-router'
import { Box, Lock, LockOpen } from 'lucide-react'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Loaded, Skeleton } from '../../parts/feedback/states.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { isEnabled } from './models/chosen-model.ts'
import { Playground } from './playground.tsx'

const TITLE = 'Playground'
const ABOUT =
  'Chat with a model through the same API that your apps use. Conversations stay in this browser, never at the gateway.'

const NOT_SEALED = (
  <>
    {ABOUT}{' '}
    <span className="block text-warn [&>svg]:align-[-2px]">
      <LockOpen size={14} aria-hidden /> Not sealed: what you write here passes through the gateway’s memory.
    </span>
  </>
)

export function PlaygroundPage() {
  const models = useRead('/models')
  const settings = useRead('')
  const sealing = settings.data?.sealing
  if (sealing !== undefined && sealing !== 'required' && models.data?.models.some(isEnabled))
    return <Playground title={TITLE} about={sealing === 'off' ? ABOUT : NOT_SEALED} models={models.data.models} />
  return (
    <Page title={TITLE} about={ABOUT}>
      <Loaded query={settings} loading={<Skeleton lines={10} />}>
        {() =>
          sealing === 'required' ? (
            <SealedOnly />
          ) : (
            <Loaded query={models} loading={<Skeleton lines={10} />}>
              {() => <NoModels />}
            </Loaded>
          )
        }
      </Loaded>
    </Page>
  )
}

/** A page that the gateway serves could not keep anything from the gateway. */
function SealedOnly() {
  return (
    <Empty
      icon={Lock}
      title="The playground is off"
      action={
        <Link to="/settings" className="button button-primary">
          How to send sealed requests
        </Link>
      }
    >
      Your organization accepts only sealed requests, and this page can’t seal: its code comes from the gateway. Use a
      chat app on your computer with hearth-seal.
    </Empty>
  )
}

function NoModels() {
  const { isAdmin } = useSession()
  const link = (
    <Link to="/models" className="button button-primary">
      Add a model
    </Link>
  )
  return (
    <Empty icon={Box} title="No models enabled" action={isAdmin && link}>
      {isAdmin
        ? 'Add a model on the Models page, and you can chat with it here.'
        : 'Ask an admin to enable a model, and you can chat with it here.'}
    </Empty>
  )
}
