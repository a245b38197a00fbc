/** An honest list: sealing hides the content, not that someone asks. */
export function GatewayKnows() {
  return (
    <section className="card card-body stack-small">
      <h3>What the gateway still learns</h3>
      <p className="soft">
        Who sends a request and when, the model and the features it needs, its rounded size, how many tokens it took,
        which device answered, and whether a client’s prompt begins like an earlier one of its own. Never the prompt,
        the reply, tools, schemas or files.
      </p>
      <p className="soft">
        It can also delay or drop a request. A device that searches the web sends the search terms to the search engine.
        See docs/sealed.md for the details.
      </p>
    </section>
  )
}
