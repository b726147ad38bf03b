"""The store hashes an append in one go; the checks hash each event by itself, and get the same."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.batch import Head
from ledger.chain import sealed
from ledger.drafts import CHIPS_MOVED, AccountRef, CommandClaim, Draft, TransferDraft
from ledger.sealing import seal_batch

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
times = st.integers(-(2**53) + 1, 2**53 - 1)
accounts = st.builds(AccountRef, key=texts, owner=texts | st.just(""), overdraft=st.booleans())
transfers = st.builds(
    TransferDraft,
    source=accounts,
    target=accounts,
    chips=st.integers(1, 2**53 - 1),
    reverses=st.none(),
)
hashes = st.binary(min_size=32, max_size=32).map(bytes.hex)
bodies = texts.map(str.encode)
events = st.builds(
    Draft,
    stream=texts,
    type=texts,
    schema=st.integers(1, 99),
    occurred_at=times,
    body=bodies,
    transfer=st.none(),
)
payments = st.builds(
    Draft,
    stream=texts,
    type=st.just(CHIPS_MOVED),
    schema=st.just(1),
    occurred_at=times,
    body=bodies,
    transfer=transfers,
)
heads = st.builds(
    Head,
    log=st.integers(1, 9),
    key=texts,
    command_key=texts,
    position=st.integers(0, 2**40),
    hash=hashes,
    recorded_at=times,
)
claims = st.builds(CommandClaim, id=texts, actor=texts, content=st.just(b""))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    head=heads,
    claim=claims,
    digest=texts,
    drafts=st.lists(events | payments, min_size=1, max_size=4),
    now=times,
)
def test_an_append_has_the_hashes_that_each_event_has_by_itself(
    head: Head, claim: CommandClaim, digest: str, drafts: list[Draft], now: int
) -> None:
    versions = {draft.stream: 7 for draft in drafts}

    batch = seal_batch(head, claim, drafts, digest, now=now, versions=versions, positions={})

    posted = {move.position: move.posted for move in batch.moved}
    prev = head.hash
    for event in batch.events:
        alone = sealed(
            event._replace(hash=""),
            log_key=head.key,
            digest=digest,
            posted=posted.get(event.position),
        )
        assert (event.prev_hash, event.hash) == (prev, alone.hash)
        prev = event.hash


def test_a_transfer_taken_back_is_hashed_with_the_place_of_what_it_takes_back() -> None:
    north, pot = AccountRef(key="N", owner="n", overdraft=True), AccountRef(key="hand")
    drafts = [
        Draft("s", CHIPS_MOVED, 1, 1, b"{}", TransferDraft(north, pot, 3)),
        Draft("s", CHIPS_MOVED, 1, 1, b"{}", TransferDraft(pot, north, 3, reverses=5)),
        Draft("s", CHIPS_MOVED, 1, 1, b"{}", TransferDraft(pot, north, 3, reverses=2)),
    ]
    head, claim = Head(1, "k", "c", 10, "f" * 64, 0), CommandClaim(id="c", actor="a", content=b"")

    batch = seal_batch(head, claim, drafts, "d", now=1, versions={"s": 4}, positions={("s", 2): 6})

    assert [move.posted.reverses for move in batch.moved] == [None, 11, 6]
    assert [
        sealed(event, log_key="k", digest="d", posted=move.posted)
        for event, move in zip(batch.events, batch.moved, strict=True)
    ] == [*batch.events]
