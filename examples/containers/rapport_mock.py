"""The mock service in a container; needs testcontainers 4.13 or newer."""

import secrets

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

PORT = 4817


class RapportMock(DockerContainer):
    """Starts with `with RapportMock() as mock:`."""

    def __init__(self) -> None:
        super().__init__("rapport-mock")
        self.control_token = secrets.token_urlsafe()
        """Token of the control API, for the header `Authorization: Bearer …`."""
        self.with_env("RAPPORT_MOCK_CONTROL_TOKEN", self.control_token)
        self.with_env("RAPPORT_MOCK_SCENARIO", "empty")
        self.with_exposed_ports(PORT)
        self.waiting_for(HttpWaitStrategy(PORT, "/_mock/health"))

    @property
    def url(self) -> str:
        """Base URL of the service; that of the control API is `url + "/_mock"`."""
        return f"http://{self.get_container_host_ip()}:{self.get_exposed_port(PORT)}"
