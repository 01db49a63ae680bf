"""Lists, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, Iterator, List, Optional, TypeVar

from ._flow import Call, page_call
from .types import PageMeta

if TYPE_CHECKING:
    from ._resource import AsyncSender, Sender

Item = TypeVar("Item")


class Page(Generic[Item]):
    """One page."""

    def __init__(self, answer: Any) -> None:
        self.data: List[Item] = answer["data"]
        self.meta: PageMeta = answer["meta"]

    def _is_last(self, page: int) -> bool:
        return page >= self.meta["totalPages"] or not self.data


class Pages(Generic[Item]):
    """A list: `for` goes through its items, page by page. Nothing is asked for before that."""

    def __init__(self, transport: Sender, call: Call) -> None:
        self._transport = transport
        self._call = call

    def page(self, page: int) -> Page[Item]:
        """One page; the first is 1. Beyond the last one `data` is empty."""
        return Page(self._transport.send(page_call(self._call, page)))

    def pages(self) -> Iterator[Page[Item]]:
        """Page by page, for who shows how many there are."""
        page = 1
        while True:
            found = self.page(page)
            yield found
            if found._is_last(page):
                return
            page += 1

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data

    def first(self) -> Optional[Item]:
        """The first item; None if there is none."""
        return next(iter(self.page(1).data), None)

    def to_list(self, *, max: int) -> List[Item]:
        """All of them in memory, at most `max`."""
        items: List[Item] = []
        if max <= 0:
            return items
        for item in self:
            items.append(item)
            if len(items) >= max:
                break
        return items


class AsyncPages(Generic[Item]):
    """A list: `async for` goes through its items, page by page. Nothing is asked for before that."""

    def __init__(self, transport: AsyncSender, call: Call) -> None:
        self._transport = transport
        self._call = call

    async def page(self, page: int) -> Page[Item]:
        """One page; the first is 1. Beyond the last one `data` is empty."""
        return Page(await self._transport.send(page_call(self._call, page)))

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """Page by page, for who shows how many there are."""
        page = 1
        while True:
            found = await self.page(page)
            yield found
            if found._is_last(page):
                return
            page += 1

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item

    async def first(self) -> Optional[Item]:
        """The first item; None if there is none."""
        return next(iter((await self.page(1)).data), None)

    async def to_list(self, *, max: int) -> List[Item]:
        """All of them in memory, at most `max`."""
        items: List[Item] = []
        if max <= 0:
            return items
        async for item in self:
            items.append(item)
            if len(items) >= max:
                break
        return items
